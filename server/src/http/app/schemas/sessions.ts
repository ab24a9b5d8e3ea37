import Type from 'typebox';
import { id, moment, named, nullable } from './fields.ts';

export const Session = named('Session', {
  id,
  user_agent: nullable(Type.String()),
  created_at: moment,
  last_used_at: moment,
  expires_at: moment,
  /** The session of this request. */
  current: Type.Boolean(),
});
