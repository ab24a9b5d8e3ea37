import { withHttps } from '../lib/with-https.ts';
import { TextField } from './text-field.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem?: string | undefined;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

/** The address of a page. Most people write it without `https://`, which is added when they leave. */
export function WebsiteField(props: Props) {
  const { value, onChange } = props;
  return (
    <TextField
      {...props}
      type="url"
      placeholder="https://"
      onBlur={() => {
        const address = withHttps(value);
        if (address !== value) onChange(address);
      }}
    />
  );
}
