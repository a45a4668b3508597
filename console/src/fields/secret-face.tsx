import { Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SecretField } from '../../../catalogue/fields/secret.ts';
import { tied, type CellProps, type Face, type InputProps } from './face.ts';

/** Write-only: a stored value is never shown; leaving the field empty keeps it. */
function SecretInput({ field, id, value, onChange, invalid, describedBy, around }: InputProps<SecretField>) {
  const { t } = useTranslation('declared');
  const stored = around.secrets.includes(field.key);
  return (
    <Input.Password
      {...tied(id, invalid, describedBy)}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      autoComplete="new-password"
      placeholder={stored ? t('secret.keep') : ''}
    />
  );
}

function SecretCell({ label }: CellProps<SecretField>) {
  return <>{label ?? '—'}</>;
}

export const secretFace: Face<SecretField> = { Input: SecretInput, Cell: SecretCell, Filter: null };
