import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipPlugin } from './zip-plugin.ts';

/** npm run plugin: writes plugins/wordpress/dist/podstead.zip, which WordPress installs. */
const folder = fileURLToPath(new URL('../dist/', import.meta.url));
mkdirSync(folder, { recursive: true });
const zip = zipPlugin();
writeFileSync(`${folder}podstead.zip`, zip);
process.stdout.write(`${relative(process.cwd(), folder)}/podstead.zip: ${zip.length} bytes\n`);
