import Type, { type TSchema } from 'typebox';
import { sessionCaching } from '../payload.ts';
import type { Answer, PrivateOperation } from '../route.ts';
import { Pagination } from './schemas/podcasts.ts';

/** How an endpoint of the private API responds: as its document says, and with what it returns. */
export interface Response<Result> {
  readonly responses: PrivateOperation['responses'];
  readonly answer: (result: Result) => Answer;
}

function answerJson(body: object): Answer {
  return { kind: 'json', body, caching: sessionCaching };
}

const ofData = (data: TSchema, status: 200 | 201): PrivateOperation['responses'] => ({
  [status]: { description: status === 200 ? 'OK' : 'Created', schema: Type.Object({ data }) },
});

/** The data that the endpoint returns. */
export const ok = (data: TSchema, status: 200 | 201 = 200): Response<unknown> => ({
  responses: ofData(data, status),
  answer: (returned) => answerJson({ data: returned }),
});

export const created = (data: TSchema) => ok(data, 201);

/** The present state of a podcast or an episode, after a read or a write; its revision is the ETag. */
export const revised = (
  data: TSchema,
  status: 200 | 201 = 200,
): Response<{ readonly revision: number }> => ({
  responses: ofData(data, status),
  answer: (returned) => ({ ...answerJson({ data: returned }), revision: returned.revision }),
});

/** The whole body that the endpoint returns. */
export const whole = (schema: TSchema, description = 'OK'): Response<object> => ({
  responses: { 200: { description, schema } },
  answer: answerJson,
});

export const page = (item: TSchema) =>
  whole(Type.Object({ data: Type.Array(item), pagination: Pagination }), 'A page');

/** Success without content, whatever the endpoint returns. */
export const nothing: Response<unknown> = {
  responses: { 204: { description: 'Done' } },
  answer: () => ({ kind: 'nothing' }),
};

/** What the endpoint answers itself. */
export const written = (responses: PrivateOperation['responses']): Response<Answer> => ({
  responses,
  answer: (answer) => answer,
});
