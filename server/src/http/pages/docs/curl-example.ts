import { type ApiDocument, type ApiParameter, type Operation, resolve } from './api-document.ts';

/** An example call, with the example values of all path parameters and required parameters. */
export function curlExample(document: ApiDocument, operation: Operation): string {
  const { method, path, parameters = [], security = [] } = operation;
  const known = parameters.map((parameter) => resolve(document, parameter));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(exampleOf(known.find((one) => one.name === name))),
  );
  const query = known
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`);
  const body = operation.requestBody?.content['application/json']?.example;
  const address = (document.servers[0]?.url ?? '') + filled;
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(security.length > 0 ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
    `'${query.length > 0 ? `${address}?${query.join('&')}` : address}'`,
  ].join(' ');
}

/** Quotes the text as one word of a shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A parameter without an example appears by its name. */
function exampleOf(parameter: ApiParameter | undefined): string {
  return String(parameter?.example ?? parameter?.name.toUpperCase() ?? '');
}
