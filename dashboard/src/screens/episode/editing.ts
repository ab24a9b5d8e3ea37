import { createContext, useContext } from 'react';
import type { EpisodeDraft } from '../../api/episode.ts';
import type { ShowSettings } from '../../api/show-settings.ts';
import type { FieldValue } from '../../editor/fields.ts';
import type { SaveEngine } from '../../editor/save-engine.ts';
import type { SaveState } from '../../editor/save-state.ts';
import type { Player } from '../../waveform/player.ts';
import { type EpisodeFields, type FieldName, maxLengthOf } from './episode-fields.ts';

interface Editing {
  readonly engine: SaveEngine;
  readonly state: SaveState;
  /** The server's state; `values` of the save state are what the person sees. */
  readonly episode: EpisodeDraft;
  /** Undefined while it loads, and for members who may not read it. */
  readonly show: ShowSettings | undefined;
  /** The episode's audio, which all parts of the screen share; undefined without audio. */
  readonly player: Player | undefined;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

/** The episode that is being edited. */
export function useEditing(): Editing & { readonly values: EpisodeFields } {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('no episode is open here');
  return { ...editing, values: editing.state.values as unknown as EpisodeFields };
}

interface EditedField<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** Leaving a field saves it. */
  readonly onBlur: () => void;
  readonly problem: string | undefined;
  readonly isReadOnly: boolean;
  readonly maxLength?: number;
}

export function useField<Name extends FieldName>(name: Name): EditedField<EpisodeFields[Name]> {
  const { engine, state, values, episode } = useEditing();
  const maxLength = maxLengthOf(name);
  return {
    value: values[name],
    onChange: (value) => engine.edit({ [name]: value }),
    onBlur: () => void engine.flush(),
    problem: state.problems[name],
    isReadOnly: !episode.may.edit,
    ...(maxLength !== undefined && { maxLength }),
  };
}

interface LoadedPart<T> {
  readonly value: T;
  readonly revision: number;
}

/** A part that is loaded separately: it is in the draft from the first edit on. */
export function usePart<T extends FieldValue>(name: string, loaded: LoadedPart<T>) {
  const { engine, state } = useEditing();
  const { value, revision } = loaded;
  return {
    value: (state.values[name] ?? value) as T,
    onChange: (next: T) => engine.edit({ [name]: next }, { revision, fields: { [name]: value } }),
    problem: state.problems[name],
  };
}

type OptionalText = {
  [Name in FieldName]: EpisodeFields[Name] extends string | null ? Name : never;
}[FieldName];

/** An empty text means no value. */
export function useOptionalText(name: OptionalText): EditedField<string> {
  const { value, onChange, ...field } = useField(name);
  return { ...field, value: value ?? '', onChange: (text) => onChange(text === '' ? null : text) };
}
