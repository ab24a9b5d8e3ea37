import type { TObject, TString } from 'typebox';

// Written as TypeBox would build them: every command loads the jobs, few run any, and loading TypeBox
// takes longer than most commands.

/** For a job that finds its work itself. */
export type NoPayload = TObject<Record<never, never>>;
export const noPayload = { type: 'object', properties: {} } as unknown as NoPayload;

/** For a job about one import. */
export const importPayload = {
  type: 'object',
  required: ['importId'],
  properties: { importId: { type: 'string', format: 'uuid' } },
} as unknown as TObject<{ importId: TString }>;
