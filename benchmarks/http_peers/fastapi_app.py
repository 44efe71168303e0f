"""Rooms read as the tutorials of FastAPI, SQLAlchemy and pydantic do it: `fastapi_app.py PORT DATABASE TENANT`.

No token, key, tenant, entity tag, log or metric: whoever asks is answered. uvicorn has uvloop and httptools, as ours.
"""

import sys
from collections.abc import AsyncGenerator, Sequence
from typing import Annotated
from uuid import UUID

import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import ARRAY, TEXT
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

PORT, DATABASE, TENANT = int(sys.argv[1]), sys.argv[2], UUID(sys.argv[3])
CONNECTIONS = 10  # as many as ours


class Base(DeclarativeBase):
    """The tables."""


class RoomRow(Base):
    """The table of rooms."""

    __tablename__ = "room"
    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    room_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    capacity: Mapped[int]
    location: Mapped[str]
    features: Mapped[list[str]] = mapped_column(ARRAY(TEXT))
    available: Mapped[bool]
    email: Mapped[str]
    can_be_booked: Mapped[bool]

    @property
    def id(self) -> UUID:
        """Return the id as it is answered."""
        return self.room_id


class Room(BaseModel):
    """A room as it is answered."""

    model_config = ConfigDict(from_attributes=True, alias_generator=to_camel, populate_by_name=True)
    id: UUID
    name: str
    capacity: int
    location: str
    features: list[str]
    available: bool
    email: str
    can_be_booked: bool


engine = create_async_engine(DATABASE, pool_size=CONNECTIONS, max_overflow=0)
sessions = async_sessionmaker(engine, expire_on_commit=False)
app = FastAPI()


async def open_session() -> AsyncGenerator[AsyncSession]:
    """Yield a session for the request."""
    async with sessions() as session:
        yield session


Session = Annotated[AsyncSession, Depends(open_session)]


@app.get("/rooms/{room_id}", response_model=Room)
async def get_room(room_id: UUID, session: Session) -> RoomRow:
    """Return a room."""
    room = await session.get(RoomRow, (TENANT, room_id))
    if room is None:
        raise HTTPException(404)
    return room


@app.get("/rooms", response_model=list[Room])
async def list_rooms(session: Session) -> Sequence[RoomRow]:
    """Return the rooms by location and name."""
    query = select(RoomRow).where(RoomRow.tenant_id == TENANT)
    return (await session.scalars(query.order_by(RoomRow.location, RoomRow.name, RoomRow.room_id))).all()


if __name__ == "__main__":
    uvicorn.run(app, port=PORT, log_level="warning", access_log=False)
