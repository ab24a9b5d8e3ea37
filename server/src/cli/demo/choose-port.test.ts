import { expect, it } from 'vitest';
import { readEnvironment } from '../../config/environment.ts';
import { choosePort, readPosition } from './choose-port.ts';

const place = (env: NodeJS.ProcessEnv) => readPosition(readEnvironment(env));

it('uses the settings, and any free port for 0', async () => {
  expect(place({})).toEqual({ port: 3000, host: '127.0.0.1', metricsPort: undefined });
  expect(place({ PORT: '4000', HOST: '::1', METRICS_PORT: '4101' })).toEqual({
    ...{ port: 4000, host: '::1', metricsPort: 4101 },
  });
  expect(place({ PORT: '0' })).toMatchObject({ port: 0, host: '127.0.0.1' });
  expect(await choosePort(0, '127.0.0.1')).toBeGreaterThan(0);
});

it('refuses wrong settings', () => {
  expect(() => place({ PORT: '70000' })).toThrow('PORT must be a whole number from 1 to 65535');
});
