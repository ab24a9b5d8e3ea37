import { createContext, type RefObject, useContext } from 'react';
import type { EpisodeDraft } from '../../api/episode.ts';
import type { ShowSettings } from '../../api/show-settings.ts';
import type { SaveEngine } from '../../editor/save-engine.ts';
import type { SaveState } from '../../editor/save-state.ts';
import type { EpisodeFields, FieldName } from './episode-fields.ts';

interface Editing {
  readonly engine: SaveEngine;
  readonly state: SaveState;
  /** What the server last said; `values` of the state are what the person sees. */
  readonly episode: EpisodeDraft;
  /** Undefined while it loads, and for members who may not read it. */
  readonly show: ShowSettings | undefined;
  /** The episode's audio, for the times in the show notes. */
  readonly player: RefObject<HTMLAudioElement | null>;
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
}

export function useField<Name extends FieldName>(name: Name): EditedField<EpisodeFields[Name]> {
  const { engine, state, values, episode } = useEditing();
  return {
    value: values[name],
    onChange: (value) => engine.edit({ [name]: value }),
    onBlur: () => void engine.flush(),
    problem: state.problems[name],
    isReadOnly: !episode.may.edit,
  };
}

/** An empty text is none. */
export function useOptionalText(
  name: 'subtitle' | 'season_name' | 'episode_display' | 'itunes_title' | 'link_url',
): EditedField<string> {
  const { value, onChange, ...field } = useField(name);
  return { ...field, value: value ?? '', onChange: (text) => onChange(text === '' ? null : text) };
}
