"""Work that is done later, or by only one process."""

from meetdeck.platform.work.job_queue import JobQueue
from meetdeck.platform.work.jobs import (
    Jobs,
    NewJob,
    QueueBacklog,
    cancel,
    enqueue,
    enqueue_all,
    enqueue_jobs,
    read_backlog,
)
from meetdeck.platform.work.leases import Leases
from meetdeck.platform.work.periodic import run_periodically
from meetdeck.platform.work.recording import record
from meetdeck.platform.work.workers import WorkerPresence, has_worker

__all__ = [
    "JobQueue",
    "Jobs",
    "Leases",
    "NewJob",
    "QueueBacklog",
    "WorkerPresence",
    "cancel",
    "enqueue",
    "enqueue_all",
    "enqueue_jobs",
    "has_worker",
    "read_backlog",
    "record",
    "run_periodically",
]
