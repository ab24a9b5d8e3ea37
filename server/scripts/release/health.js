// The health check of the container image: exits with 0 if the server responds at /healthz. A
// container that runs `podstead worker` has no server, and is healthy while its process is alive.
import { readFileSync } from 'node:fs';

const started = readFileSync('/proc/1/cmdline', 'latin1').split('\0');
if (!started.includes('worker')) {
  const { HOST = '', PORT = '3000' } = process.env;
  const listensEverywhere = ['', '0.0.0.0', '::'].includes(HOST);
  const host = listensEverywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const response = await fetch(`http://${host}:${PORT}/healthz`).catch(() => undefined);
  process.exitCode = response?.ok ? 0 : 1;
}
