import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../../api/errors.ts';
import { changeName, meQuery } from '../../../api/me.ts';
import { Form } from '../../../components/form.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { showMessage } from '../../../components/toasts.ts';

export function NameForm({ name: current }: { readonly name: string }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [name, setName] = useState(current);
  const save = useMutation({
    mutationFn: () => changeName(name),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      showMessage({ text: t`Your name was changed.` });
    },
  });
  return (
    <Form
      onSubmit={save.mutate}
      submit={t`Save`}
      isPending={save.isPending}
      error={save.error}
      fields={['name']}
    >
      <TextField
        label={t`Name`}
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={200}
        problem={problemOf(save.error, 'name')}
      />
    </Form>
  );
}
