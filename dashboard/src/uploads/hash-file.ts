/**
 * The SHA-256 of a whole file in lower-case hex, computed in a worker so that the page does not
 * block.
 */
export function hashFile(file: Blob, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string>((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data));
    worker.addEventListener('error', () => reject(new Error('the file could not be read')));
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
