import Type from 'typebox';
import { describeEnvelope } from '../../error-envelope.ts';
import { errorCatalogue, privateErrorCodes } from '../../errors.ts';
import { moment, nullable, translatable } from './fields.ts';

/** The body of every error of the private API. */
export const AppError = describeEnvelope([...Object.keys(errorCatalogue), ...privateErrorCodes], {
  error: translatable,
  detail: {
    ...translatable,
    changed_by: Type.Optional(
      nullable(Type.String({ description: 'Who changed the field; null: the service.' })),
    ),
    changed_at: Type.Optional(moment),
  },
});
