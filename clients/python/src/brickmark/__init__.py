"""The Python client of Brickmark: `Brickmark`, and `AsyncBrickmark` for async programs."""

from . import types
from ._async.bulk_file import AsyncBulkFile
from ._async.client import AsyncBrickmark, AsyncBrickmarkPlus
from ._async.event_stream import AsyncEventStream
from ._async.paging import AsyncPages
from ._sync.bulk_file import BulkFile
from ._sync.client import Brickmark, BrickmarkPlus
from ._sync.event_stream import EventStream
from ._sync.paging import Pages
from ._version import VERSION as __version__
from .errors import BrickmarkError, Budget, NetworkError

__all__ = [
    "AsyncBrickmark",
    "AsyncBrickmarkPlus",
    "AsyncBulkFile",
    "AsyncEventStream",
    "AsyncPages",
    "Brickmark",
    "BrickmarkError",
    "BrickmarkPlus",
    "Budget",
    "BulkFile",
    "EventStream",
    "NetworkError",
    "Pages",
    "__version__",
    "types",
]
