"""Reads the files of shuffled positions that `skewer-train shuffle` writes.

tools/train/src/blocks.rs describes the file, packed.rs its chunks, and sample.rs the 32 bytes of a position.
"""

import random
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy
import torch
import zstandard

MAGIC, VERSION = b"SKEWERPB", 3
HEADER = struct.Struct("<8sIIQQQQQfI")
CHUNK = struct.Struct("<III")
ROW = 32
# Blocks that are shuffled together.
GROUP = 32


class BlockError(Exception):
    """A file of positions that cannot be used."""


class BlockFile:
    """A file of positions: the positions to learn from, in groups, and the held-out positions."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            header = file.read(HEADER.size)
            if len(header) < HEADER.size or header[:8] != MAGIC:
                raise BlockError(f"{path}: this is not a file of shuffled positions")
            _, version, self.block, self.train, self.valid, *_, self.stretch, checksum = HEADER.unpack(header)
            if zlib.crc32(header[:-4]) != checksum:
                raise BlockError(f"{path}: the header is damaged")
            if version != VERSION:
                raise BlockError(f"{path}: version {version} is not known; shuffle the games again")
            self.starts, self.held = [], []
            left = self.train
            while left > 0:
                self.starts.append(file.tell())
                left -= self._skip(file)
            left = self.valid
            while left > 0:
                self.held.append(file.tell())
                left -= self._skip(file)

    def _skip(self, file):
        header = file.read(CHUNK.size)
        if len(header) < CHUNK.size:
            raise BlockError(f"{self.path}: the file is cut off")
        count, length, _ = CHUNK.unpack(header)
        file.seek(length, 1)
        return count

    def _read(self, file, start):
        """The positions of a block, a row of 32 bytes each."""
        file.seek(start)
        count, length, checksum = CHUNK.unpack(file.read(CHUNK.size))
        data = file.read(length)
        if zlib.crc32(data, zlib.crc32(struct.pack("<II", count, length))) != checksum:
            raise BlockError(f"{self.path}: the block at byte {start} is damaged")
        columns = zstandard.ZstdDecompressor().decompress(data, max_output_size=count * ROW)
        rows = numpy.frombuffer(columns, dtype=numpy.uint8).reshape(ROW, count).T
        return torch.from_numpy(numpy.ascontiguousarray(rows))

    def group_sizes(self):
        """The sizes of the groups of an epoch."""
        group = GROUP * self.block
        return [min(group, self.train - at) for at in range(0, self.train, group)]

    def whole(self, workers):
        """All positions to learn from, read by several workers at a time."""

        def read(start):
            with open(self.path, "rb") as file:
                return self._read(file, start)

        with ThreadPoolExecutor(workers) as pool:
            return torch.cat(list(pool.map(read, self.starts)))

    def groups(self, seed):
        """The groups of an epoch. A shorter last block stays last, so that the sizes are constant."""
        full = self.train // self.block
        order = list(range(full))
        random.Random(seed).shuffle(order)
        order += range(full, len(self.starts))
        with open(self.path, "rb") as file:
            for at in range(0, len(order), GROUP):
                yield torch.cat([self._read(file, self.starts[index]) for index in order[at:at + GROUP]])

    def held_out(self):
        """The held-out positions, block by block."""
        with open(self.path, "rb") as file:
            for start in self.held:
                yield self._read(file, start)
