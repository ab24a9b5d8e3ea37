import Type from 'typebox';
import { describeEnvelope, errorCatalogue, privateErrorCodes } from '../http-errors.ts';
import { Components, type Json } from '../openapi/openapi-components.ts';
import {
  describeParameters,
  describePaths,
  describeRequestBody,
  jsonContent,
} from '../openapi/openapi-parts.ts';
import type { PrivateOperation, Route } from '../route.ts';
import { moment, nullable, translatable } from './field-schemas.ts';

/** The body of every error of the private API. */
const AppError = describeEnvelope([...Object.keys(errorCatalogue), ...privateErrorCodes], {
  error: translatable,
  detail: {
    ...translatable,
    changed_by: Type.Optional(
      nullable(Type.String({ description: 'Who changed the field; null: the service.' })),
    ),
    changed_at: Type.Optional(moment),
  },
});

/**
 * OpenAPI 3.1 of the private API, from the schemas that check requests and serialize responses. The
 * types of our own clients are generated from it. It is not served.
 */
export function describeAppApi(routes: readonly Route[]): Json {
  const components = new Components();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Podstead app API',
      version: '1.0.0',
      description: 'Private: it may change with every release of the app that uses it.',
    },
    servers: [{ url: '/', description: 'The installation that serves the app' }],
    paths: describePaths(routes, (route, operation) =>
      describeOperation(route, operation, components),
    ),
    components: { ...components.asJson(), securitySchemes: { Session: sessionScheme } },
  };
}

const sessionScheme: Json = {
  type: 'apiKey',
  in: 'cookie',
  name: 'podstead_session',
  description: 'Set when the user signs in. With TLS its name begins with __Host-.',
};

function describeOperation(
  route: Route,
  { id, summary, responses }: PrivateOperation,
  components: Components,
): Json {
  const successes = Object.entries(responses).map(([status, { description, schema }]) => [
    status,
    { description, ...(schema && { content: jsonContent(schema, components) }) },
  ]);
  const refused = components.refer('responses', 'Refused', () => ({
    description: 'Every error.',
    content: jsonContent(AppError, components),
  }));
  return {
    operationId: id,
    summary,
    security: route.access === 'session' ? [{ Session: [] }] : [],
    parameters: describeParameters(route, components),
    ...describeRequestBody(route, components),
    responses: { ...Object.fromEntries(successes), default: refused },
  };
}
