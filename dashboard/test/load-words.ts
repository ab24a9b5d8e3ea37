import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import linguiMacro from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import config from '../lingui.config.ts';

/** The exports of a table of messages in `src/sentences`: Node knows nothing of Lingui's macros. */
export async function loadWords(name: string): Promise<Readonly<Record<string, unknown>>> {
  const path = join(import.meta.dirname, '../src/sentences', name);
  const source = stripTypeScriptTypes(await readFile(path, 'utf8'));
  const result = await transformAsync(source, {
    filename: path,
    plugins: [[linguiMacro, { linguiConfig: makeConfig(config, { skipValidation: true }) }]],
    configFile: false,
    babelrc: false,
  });
  return await import(`data:text/javascript,${encodeURIComponent(result?.code ?? '')}`);
}
