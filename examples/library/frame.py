#!/usr/bin/env python3
"""Reads results into pyarrow through the library, without copying values, and passes parameters.

    python3 frame.py [LIBRARY]      (default: libmtsql.so.0)

From a pyarrow table, pandas (to_pandas), Polars (polars.from_arrow) and DuckDB read on.
"""
import ctypes
import sys

import pyarrow as pa


class Options(ctypes.Structure):
    """MtOpenOptions: the first member, and room for the others, which stay zero."""

    _fields_ = [("target", ctypes.c_char_p), ("rest", ctypes.c_char * 120)]


class Value(ctypes.Structure):
    """MtVal: a type byte of BSON, a length, and the address of bytes."""

    _fields_ = [("type", ctypes.c_uint8), ("sub", ctypes.c_uint8), ("pad", ctypes.c_uint16), ("len", ctypes.c_uint32), ("p", ctypes.c_char_p)]
    STRING, NULL = 0x02, 0x0A

    @classmethod
    def of(cls, value):
        """Each value as text, which the library reads as the parameter's type."""
        text = None if value is None else str(value).encode()
        return cls(cls.NULL) if text is None else cls(cls.STRING, 0, 0, len(text), text)


class Error(ctypes.Structure):
    """MtError: the members that are used here, and room for the others."""

    _fields_ = [("sqlstate", ctypes.c_char * 6), ("span", ctypes.c_int32 * 2), ("message", ctypes.c_char * 512), ("rest", ctypes.c_char * 2048)]


class Stream(ctypes.Structure):
    """struct ArrowArrayStream."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")]


class Session:
    """An open target."""

    def __init__(self, target=None, library="libmtsql.so.0"):
        self.library = ctypes.CDLL(library)
        for name in ("mt_open", "mt_prepare", "mt_execute"):
            getattr(self.library, name).restype = ctypes.c_bool
        self.session = ctypes.c_void_p()
        self.call("mt_open", ctypes.byref(Options(target and str(target).encode())), ctypes.byref(self.session))

    def call(self, name, *args):
        error = Error()
        if not getattr(self.library, name)(*args, ctypes.byref(error)):
            raise RuntimeError(f"{error.sqlstate.decode()}: {error.message.decode()}")

    def query(self, sql, *parameters):
        """The rows of a statement as a pyarrow.Table. Parameters are the values of $1, $2 …"""
        text = sql.encode()
        prepared, result, stream = ctypes.c_void_p(), ctypes.c_void_p(), Stream()
        values = (Value * max(1, len(parameters)))(*map(Value.of, parameters))
        self.call("mt_prepare", self.session, text, ctypes.c_long(len(text)), ctypes.byref(prepared))
        try:
            self.call("mt_execute", prepared, values, ctypes.c_size_t(len(parameters)), ctypes.byref(result))
            self.library.mt_result_arrow(result, ctypes.byref(stream))
            # pyarrow moves the stream, and releases it after the last batch.
            with pa.RecordBatchReader._import_from_c(ctypes.addressof(stream)) as reader:
                return reader.read_all()
        finally:
            self.library.mt_prepared_free(prepared)

    def close(self):
        self.library.mt_close(self.session)


def main():
    session = Session(library=sys.argv[1] if len(sys.argv) > 1 else "libmtsql.so.0")
    session.query("CREATE TABLE power (time timestamptz TIME, house text, watts bigint) USING rows")
    for day in range(1, 4):
        session.query("INSERT INTO power VALUES ($1, $2, $3)", f"2024-05-0{day}+00", "o'brien", 400 + day)
    table = session.query("SELECT time, house, watts FROM power WHERE watts > $1 ORDER BY time", 401)
    print(table.schema)
    print(table.to_pylist())
    try:
        session.query("SELECT $1::int", "many")
    except RuntimeError as error:
        print(error)
    session.close()


if __name__ == "__main__":
    main()
