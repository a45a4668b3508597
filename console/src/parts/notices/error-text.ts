import { useTranslation } from 'react-i18next';
import { errors } from '../../../../contract/errors.ts';
import { ApiError } from '../../api/api-error.ts';

/** What the operator was asked for and did not give: no failure, whose number somebody would look for. */
const givenUp: readonly unknown[] = [errors.confirmNeeded.code, errors.countNeeded.code];

/** What an error says: the server's sentence, else what the line did; with the request id. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('parts');
  return (error) => {
    if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
    const what =
      error.kind === 'network' || error.kind === 'timeout'
        ? t(`error.${error.kind}`)
        : error.message || t('error.status', { status: error.status });
    return error.requestId === undefined || givenUp.includes(error.code)
      ? what
      : `${what} · ${t('error.requestId', { id: error.requestId })}`;
  };
}
