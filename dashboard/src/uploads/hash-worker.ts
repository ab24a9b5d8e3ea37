import { Sha256 } from './sha256.ts';

const pieceBytes = 4 * 1024 * 1024;

/** Responds to a file with its SHA-256. If the file cannot be read any more, the worker fails. */
addEventListener('message', async ({ data: file }: MessageEvent<Blob>) => {
  const hash = new Sha256();
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = file.slice(at, at + pieceBytes);
    hash.update(new Uint8Array(await piece.arrayBuffer()));
  }
  postMessage(hash.digest());
});
