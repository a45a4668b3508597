import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../../../../catalogue/lighting/zone.ts';
import { listTasks } from '../../../../../contract/desk/tasks.ts';
import { simulatePlans } from '../../../../../contract/light/simulations.ts';
import { useSend } from '../../../api/index.ts';
import { useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import { Icon, Refusal } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import type { Preview, PublishForm } from './use-publish-form.ts';

/** A year of this version on these lamps beside what they follow: begun by one press, shown by the page of the scheme. */
export function YearButton({ preview, form }: { preview: Preview; form: PublishForm }) {
  const { t } = useTranslation('publish');
  const open = useOpen();
  const exists = usePageExists()('lamp/scheme');
  const mayQuery = usePermission('plan.query');
  const begin = useSend(simulatePlans, [listTasks], { quiet: true });
  const { scheme, scopeOf } = form;
  const id = scheme.id;
  if (id === null || preview.scheme === null || !exists || !mayQuery || inPreview()) return null;
  const from = preview.effectiveFrom;
  const body = {
    scope: scopeOf,
    ...{ from, to: addDays(from, 364) },
    b: { schemeId: id, number: preview.scheme.number },
  };
  return (
    <div>
      <Button
        loading={begin.isPending}
        // The answer that is shown may be that of the version or the scope before.
        disabled={begin.isPending || form.found === undefined}
        icon={<Icon name="curve" size={14} />}
        onClick={() =>
          begin.mutate(
            { body },
            {
              onSuccess: (made) =>
                open('lamp/scheme', { params: { id }, search: `?tab=simulation&simulation=${made.id}` }),
            },
          )
        }
      >
        {t('preview.year')}
      </Button>
      {begin.error ? <Refusal error={begin.error} /> : null}
    </div>
  );
}
