import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useTabTitle } from '../../../frame/index.ts';
import { Card, Empty, Refusal } from '../../../parts/index.ts';
import { CheckStep } from './CheckStep.tsx';
import { ColumnsStep } from './ColumnsStep.tsx';
import { Frame } from './Frame.tsx';
import { TaskProgress } from './Progress.tsx';
import { isBusy, reachable, standing, type Import, type StepName } from './plan.ts';
import { useSteps, type ImportAddress } from './use-import.ts';
import { WriteStep } from './WriteStep.tsx';

/**
 * An import that has its file: the step that was asked for, as far as it can be shown, else the one where it stands.
 */
export function Wizard({ one, address }: { one: Import; address: ImportAddress }) {
  const { t } = useTranslation('imports');
  const names = useNames();
  const steps = useSteps(one.id);
  const family = familyOf(one.family);
  const open = reachable(one);
  const at: StepName = address.step !== null && open.includes(address.step) ? address.step : standing(one);
  const go = (step: StepName): void => {
    steps.forget();
    address.show(one.id, step);
  };
  useTabTitle(t('tab', { name: one.fileName }));
  let body;
  if (!family)
    body = (
      <Card>
        <Empty title={t('familyGone', { family: one.family })} />
      </Card>
    );
  else if (isBusy(one))
    body = (
      <Card>
        <TaskProgress one={one} onStop={steps.stop} />
      </Card>
    );
  else if (at === 'columns')
    body = <ColumnsStep one={one} family={family} steps={steps} onChecked={() => go('check')} />;
  else if (at === 'check') body = <CheckStep one={one} family={family} steps={steps} go={go} />;
  else body = <WriteStep one={one} family={family} steps={steps} go={go} address={address} />;
  return (
    <Frame
      title={one.fileName}
      note={family ? names.family(family.key) : one.family}
      at={at}
      address={address}
      reachable={open}
      onStep={go}
    >
      {steps.refusal && at !== 'columns' ? <Refusal error={steps.refusal} /> : null}
      {body}
    </Frame>
  );
}
