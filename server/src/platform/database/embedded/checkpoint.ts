import type pg from 'pg';
import { DiskRoom } from '../../blob-store/disk-room.ts';

/** For the control files of a checkpoint, and the segment of the log that it may begin. */
const spareBytes = 32 * 1024 * 1024;

/**
 * Where `filesDir` has the files of an embedded database. PostgreSQL ends in the middle of a checkpoint that
 * cannot write, and cannot start again before there is room.
 */
export const openCheckpointRoom = (filesDir: string): DiskRoom =>
  new DiskRoom(filesDir, { spareBytes });

/** Throws DiskReserveError, and doesn't begin, if the disk is almost full. */
export async function runCheckpoint(
  session: Pick<pg.Pool | pg.PoolClient, 'query'>,
  room: Pick<DiskRoom, 'require'>,
): Promise<void> {
  await room.require(0);
  await session.query('checkpoint');
}
