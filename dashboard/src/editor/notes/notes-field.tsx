import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { Loading } from '../../components/loading.tsx';
import type { NotesEditorProps } from './notes-editor.tsx';

const NotesEditor = lazy(async () => {
  const { NotesEditor: component } = await import('./notes-editor.tsx');
  return { default: component };
});

/** Show notes as rich text. The editor is loaded when it is shown. */
export function NotesField(props: NotesEditorProps) {
  const { t } = useLingui();
  return (
    <Suspense fallback={<Loading label={t`Loading the editor…`} />}>
      <NotesEditor {...props} />
    </Suspense>
  );
}
