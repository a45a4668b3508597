import { useTranslation } from 'react-i18next';
import { Card, ErrorState, Page, PageBar, Skeleton } from '../../../parts/index.ts';
import { FileStep } from './FileStep.tsx';
import { ImportList } from './ImportList.tsx';
import { Back, Frame } from './Frame.tsx';
import { useImport, useImportAddress, type ImportAddress } from './use-import.ts';
import { Wizard } from './Wizard.tsx';

/** Devices out of files: the imports there were, and the four steps of one. */
export default function Imports() {
  const address = useImportAddress();
  if (address.importId !== null) return <Opened key={address.importId} id={address.importId} address={address} />;
  if (address.fresh !== null) return <FileStep family={address.fresh} address={address} />;
  return <ImportList address={address} />;
}

function Opened({ id, address }: { id: number; address: ImportAddress }) {
  const { t } = useTranslation('imports');
  const { data, error, isPending, refetch } = useImport(id);
  if (data) return <Wizard one={data} address={address} />;
  if (isPending)
    return (
      <Frame title={t('title')} at="columns" address={address}>
        <Skeleton rows={8} height={420} />
      </Frame>
    );
  return (
    <Page>
      <PageBar title={t('title')} actions={<Back address={address} />} />
      <Card>
        <ErrorState title={t('gone')} error={error} onRetry={refetch} />
      </Card>
    </Page>
  );
}
