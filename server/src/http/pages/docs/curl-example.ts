import { type ApiDocument, type ApiParameter, type Operation, resolve } from './api-document.ts';

/** A call to try, with the examples of its parameters: those in the path, and those it needs. */
export function curlExample(document: ApiDocument, operation: Operation): string {
  const { method, path, parameters = [], security = [] } = operation;
  const known = parameters.map((parameter) => resolve(document, parameter));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(exampleOf(known.find((one) => one.name === name))),
  );
  const query = known
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`);
  const address = (document.servers[0]?.url ?? '') + filled;
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(security.length > 0 ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    `'${query.length > 0 ? `${address}?${query.join('&')}` : address}'`,
  ].join(' ');
}

/** A parameter without an example stands under its own name. */
function exampleOf(parameter: ApiParameter | undefined): string {
  return String(parameter?.example ?? parameter?.name.toUpperCase() ?? '');
}
