import { type Setting, settings } from '../src/config/settings.ts';

const exampleHead = `# Podstead's settings. Copy this file to .env, and remove the # from each line that you change.
# In production, give the file to the service: podstead --env-file FILE serve.
`;

const pageHead = `# Settings

Settings are environment variables. In development, \`.env\` is read too (not with \`NODE_ENV=production\`).
[.env.example](../.env.example) is a template. If a setting is wrong or missing, Podstead doesn't start and reports every
problem at once. \`npm run -s podstead -- config\` shows the current settings and where each comes from.
\`npm run docs\` writes this page.

| setting | default | meaning |
|---|---|---|
`;

const pageFoot = `
\`NODE_EXTRA_CA_CERTS\`, a setting of Node itself, adds trusted certificate authorities.
`;

const all: readonly [string, Setting<unknown>][] = Object.entries(settings);

/** The text of .env.example: every setting with its default. Secret and unset ones have no value. */
export function describeSettingsExample(): string {
  const paragraphs = all.map(
    ([name, { about, fallback = '' }]) => `# ${about}\n#${name}=${fallback}\n`,
  );
  return [exampleHead, ...paragraphs].join('\n');
}

/** The text of docs/settings.md: every setting with its default and its meaning. */
export function describeSettings(): string {
  const rows = all.map(([name, { about, details, fallback = '' }]) => {
    const meaning = about
      .replaceAll('<', '\\<')
      .replaceAll(/\b[A-Z][A-Z\d]*_[A-Z_\d]+(?:\/\w+)*\b|\/metrics\b/g, '`$&`');
    const sentences = details === undefined ? meaning : `${meaning}. ${details}`;
    return `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${sentences} |\n`;
  });
  return pageHead + rows.join('') + pageFoot;
}
