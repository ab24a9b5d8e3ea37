import { type Setting, settings } from '../src/config/settings.ts';

const head = `# The settings of Podstead. Copy this file to .env, and remove the # before each line that you change.
# In production, give the file to the service: podstead --env-file FILE serve.
`;

/** The text of .env.example: every setting with its default. A secret or unset one has no value. */
export function describeSettings(): string {
  const all: readonly [string, Setting<unknown>][] = Object.entries(settings);
  const paragraphs = all.map(
    ([name, { about, fallback = '' }]) => `# ${about}\n#${name}=${fallback}\n`,
  );
  return [head, ...paragraphs].join('\n');
}
