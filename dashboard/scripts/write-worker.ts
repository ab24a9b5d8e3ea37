import type { Plugin } from 'vite';

/** Tells the service worker the files that it holds: all that the build has written. */
export const writeWorker: Plugin = {
  name: 'write-worker',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.values(bundle);
      const worker = files.find(({ fileName }) => fileName === 'worker.js');
      const entry = files.find((file) => file.type === 'chunk' && file.isEntry && file !== worker);
      if (worker?.type !== 'chunk' || entry === undefined) throw new Error('no worker, or no app');
      const assets = files.filter(({ fileName }) => fileName.startsWith('assets/'));
      const names = [entry, ...assets.filter((file) => file !== entry)].map(
        ({ fileName }) => `/app/${fileName}`,
      );
      worker.code = `const appFiles=${JSON.stringify([...names, '/favicon.svg'])};\n${worker.code}`;
    },
  },
};
