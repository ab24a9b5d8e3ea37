import { defineProcessCommand } from './command.ts';

export const openapi = defineProcessCommand({
  name: 'openapi',
  about: 'Prints the OpenAPI document of the public API.',
  notes: 'As it is kept in server/openapi/v1.json, with an example for the host.',
  async run(_args, io) {
    const { writeApiDescription } = await import('../processes.ts');
    io.stdout.write(writeApiDescription());
  },
});
