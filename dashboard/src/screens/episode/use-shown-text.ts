import { useEffect, useState } from 'react';
import { useTaxonomyNames } from '../../components/taxonomy-names.ts';
import type { FieldValue } from '../../editor/fields.ts';
import { textOfPart } from './shown-parts.ts';

type Convert = (html: string) => string;

/** A field's value as a person reads it, show notes without their markup. */
export function useShownText(field: string): (value: FieldValue) => string {
  const [convert, setConvert] = useState<Convert>();
  const roleName = useTaxonomyNames();
  const isHtml = field === 'show_notes_html';
  useEffect(() => {
    if (!isHtml) return;
    void import('../../editor/notes/read-notes.ts').then(({ textOfHtml }) => {
      setConvert(() => textOfHtml);
    });
  }, [isHtml]);
  return (value) => {
    const part = textOfPart(field, value, roleName);
    if (part !== undefined) return part;
    if (value === null || typeof value === 'object') return '';
    const text = String(value);
    return isHtml && convert !== undefined ? convert(text) : text;
  };
}
