"""The last changes of meetings: their notices, and the actions that are possible until messages are sent."""
