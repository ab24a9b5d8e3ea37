import Type, { type TSchema } from 'typebox';
import type { PrivateOperation } from '../route.ts';
import { Pagination } from './schemas/podcasts.ts';

/** What the endpoints of the private API respond with, errors aside. */
type Responses = PrivateOperation['responses'];

export const ok = (data: TSchema): Responses => ({
  200: { description: 'OK', schema: Type.Object({ data }) },
});

export const created = (data: TSchema): Responses => ({
  201: { description: 'Created', schema: Type.Object({ data }) },
});

export const page = (item: TSchema): Responses => ({
  200: {
    description: 'A page',
    schema: Type.Object({ data: Type.Array(item), pagination: Pagination }),
  },
});

export const nothing: Responses = { 204: { description: 'Done' } };
