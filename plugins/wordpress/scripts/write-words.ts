import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * npm run plugin:words: collects the texts of the plugin in podstead.pot, brings the translations up
 * to date with it, and compiles them. Needs gettext.
 */
const cwd = fileURLToPath(new URL('../podstead', import.meta.url));
const run = (program: string, ...argv: readonly string[]) =>
  execFileSync(program, argv, { cwd, stdio: ['ignore', 'inherit', 'pipe'] });

const template = 'languages/podstead.pot';
const calls = ['__', 'esc_html__', 'esc_attr__'].map((name) => `--keyword=${name}:1`);
run(
  'xgettext',
  ...['--language=PHP', '--from-code=UTF-8', '--add-comments=translators', '--no-wrap'],
  ...[
    '--sort-by-file',
    '--add-location=file',
    '--package-name=Podstead',
    '--keyword',
    ...calls,
    '-o',
    template,
  ],
  ...globSync('{*.php,includes/*.php}', { cwd }).sort(),
);
// The date of the template would change the file each time.
run('sed', '-i', '/^"POT-Creation-Date/d; s/charset=CHARSET/charset=UTF-8/', template);
for (const translation of globSync('languages/*.po', { cwd })) {
  run('msgmerge', '--quiet', '--update', '--backup=none', '--no-wrap', translation, template);
  run('msgfmt', '--check', '-o', translation.replace(/po$/, 'mo'), translation);
}
