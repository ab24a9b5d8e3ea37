import { escapeHtml } from '../../../lib/escape.ts';

const light = { ground: '#fdfcfa', ink: '#1d1b18', muted: '#625f5a', accent: '#1d5b52' };
const dark = { ground: '#161513', ink: '#eeebe6', muted: '#a9a6a0', accent: '#8ab5ae' };

const paint = ({ ground, ink, muted, accent }: typeof light): string =>
  `body{background:${ground};color:${ink}}a{color:${accent}}.muted,.address{color:${muted}}` +
  `.button a{background:${accent};color:${ground}}`;

const style = `:root{color-scheme:light dark}
body{margin:0;font:17px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:34em;margin:0 auto;padding:2.5em 1.25em}
h1{font:600 1.5em/1.25 ui-serif,Georgia,serif;margin:0 0 1em}
p,ul{margin:0 0 1.1em}ul{padding-left:1.2em}
.button{margin:1.6em 0 .6em}
.button a{display:inline-block;padding:.65em 1.3em;border-radius:.5em;font-weight:600;text-decoration:none}
.address,.muted{font-size:.8em}
.muted{margin-top:3em}
${paint(light)}
@media (prefers-color-scheme:dark){${paint(dark)}}`;

interface Frame {
  readonly subject: string;
  readonly body: string;
  readonly site: string;
  /** Where the reader chooses which emails they get; undefined: this one is always sent. */
  readonly choice: string | undefined;
}

/** Wraps an email's body in an HTML page that loads nothing, so reading it is not tracked. */
export function frameEmail(email: Frame): string {
  const subject = escapeHtml(email.subject);
  const site = escapeHtml(email.site);
  const choose =
    email.choice === undefined
      ? ''
      : `<br>\n<a href="${escapeHtml(email.choice)}">Choose which emails you get</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>
${style}
</style>
</head>
<body>
<main>
<h1>${subject}</h1>
${email.body}<p class="muted">Sent by Podstead at <a href="${site}">${site}</a>${choose}</p>
</main>
</body>
</html>
`;
}
