const number = '(?:0|[1-9]\\d*)';
const identifier = `(?:${number}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const semantic = new RegExp(
  `^${number}\\.${number}\\.${number}` +
    `(?:-${identifier}(?:\\.${identifier})*)?` +
    '(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$',
);

/** Whether the text is a version of Semantic Versioning 2.0.0, such as 1.2.0 or 2.0.0-rc.1. */
export function isVersion(text: string): boolean {
  return semantic.test(text);
}
