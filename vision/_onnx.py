"""Opening a network with onnxruntime, the same way for all of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError

if TYPE_CHECKING:  # loading it starts a thread, and a process with threads must not be forked
    import onnxruntime as ort

__all__ = ["Network", "open_network", "planes"]


def planes(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What our networks look at: pictures (n, height, width, 3) BGR as planes (n, 3, height, width) RGB
    between 0 and 1. Plane by plane, which takes a third of the time that it takes at once."""
    batch = np.empty((pictures.shape[0], 3, *pictures.shape[1:3]), np.float32)
    for plane in range(3):
        np.multiply(pictures[..., 2 - plane], np.float32(1 / 255), out=batch[:, plane])
    return batch


def default_threads() -> int:
    """Two threads a call at most: more do not pay for networks this small, and onnxruntime's own guess
    halves the throughput. One where this process may use one processor: two that share it wait for each other
    in turns."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(2, ours)


class Network:
    """A loaded network with one input. Its session is shared by all threads, which onnxruntime allows."""

    __slots__ = ("_input", "_outputs", "_session", "input_shape", "name")

    def __init__(self, session: ort.InferenceSession, name: str) -> None:
        inputs = session.get_inputs()
        if len(inputs) != 1:
            raise ModelError("model_shape", f"the {name} must have one input, not {len(inputs)}")
        self._session = session
        self._input = inputs[0].name
        self._outputs = [output.name for output in session.get_outputs()]
        self.input_shape: tuple[int | str | None, ...] = tuple(inputs[0].shape)
        self.name = name

    def require_input(self, *shape: int | None) -> None:
        """Raise `ModelError` unless the network takes this shape; None for a dimension that is free."""
        actual = self.input_shape
        fits = len(actual) == len(shape) and all(
            wanted is None or not isinstance(size, int) or size == wanted
            for wanted, size in zip(shape, actual, strict=True)
        )
        if not fits:
            raise ModelError(
                "model_shape", f"the {self.name} takes {list(actual)}, not {list(shape)} as its manifest says"
            )

    def require_outputs(self, *names: str) -> None:
        """Raise `ModelError` unless there is an output of each name."""
        missing = sorted(set(names) - set(self._outputs))
        if missing:
            raise ModelError("model_shape", f"the {self.name} has no output called {', '.join(missing)}")

    def has_output(self, name: str) -> bool:
        """Whether there is an output of this name."""
        return name in self._outputs

    def run(self, batch: NDArray[np.float32], *names: str) -> list[NDArray[np.float32]]:
        """Outputs by name (all of them, if none is named). Raises `ModelError` if it fails or answers with
        NaN or infinity."""
        try:
            outputs = self._session.run(list(names) or None, {self._input: batch})
        except Exception as error:  # onnxruntime has no root for its errors but this
            raise ModelError(
                "model_output", f"the {self.name} failed on an input of shape {batch.shape}"
            ) from error
        arrays = [np.asarray(output, np.float32) for output in outputs]
        if not all(np.isfinite(array).all() for array in arrays):
            raise ModelError("model_output", f"the {self.name} answered with something that is not a number")
        return arrays


def open_network(data: bytes, name: str, threads: int | None = None) -> Network:
    """Load a network from the bytes that were checked, so that no other file can take their place in between.

    `threads` a call uses, `default_threads()` if None. Raises `ModelError`.
    """
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads or default_threads()
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    try:
        session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has no root for its errors but this
        raise ModelError("model_undecodable", f"onnxruntime cannot load the {name}") from error
    return Network(session, name)
