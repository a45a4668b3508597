import { Button, Checkbox, Input, Slider, Switch } from 'antd';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../../api/index.ts';
import {
  Alert,
  Card,
  Empty,
  ErrorState,
  LevelGlow,
  LevelMeter,
  NoPermission,
  Page,
  PageBar,
  Quantity,
  Refusal,
  RelativeTime,
  Skeleton,
  StaleNote,
  StateMark,
  toast,
  TruthLine,
  TruthTicks,
  type MarkState,
  type Truth,
} from '../../../parts/index.ts';
import { searchField, type DeclaredSearchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';

const states: MarkState[] = [
  'on',
  'dimmed',
  'off',
  'alarm',
  'offline',
  'maintenance',
  'info',
  'unknown',
  'partial',
  'degraded',
];
const at = '2026-11-20T13:46:31.000Z';
const truths: Truth[] = [
  { state: 'acknowledged', at: { queued: at, sent: at, acknowledged: at } },
  { state: 'confirmed', at: { queued: at, sent: at, acknowledged: at, confirmed: at } },
  { state: 'failed', at: { queued: at, sent: at } },
  { state: 'queued', at: { queued: at } },
];
const options = ['O', 'P', 'Q'].map((name) => ({ itemName: name, itemValue: name }));
const fields: DeclaredSearchField[] = [
  { type: 'text', key: 'text', label: 'Text' },
  { type: 'select', key: 'select', label: 'Select', options },
  { type: 'select', key: 'several', label: 'Several', options, multiple: true },
  { type: 'month', key: 'month', label: 'Month' },
  { type: 'date', key: 'date', label: 'Date' },
  { type: 'datetime', key: 'datetime', label: 'Date, time' },
  { type: 'daterange', key: 'range', label: 'Range' },
  { type: 'region', key: 'region', label: 'Region' },
  {
    type: 'tree',
    key: 'tree',
    label: 'Tree',
    nodes: [
      {
        title: 'R',
        value: 'r',
        children: [
          { title: 'S', value: 's' },
          { title: 'T', value: 't' },
        ],
      },
    ],
  },
];

/** Every kind of condition, and what it hands over. */
function Conditions() {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({ region: '330108' });
  return (
    <>
      <SearchPanel fields={fields.map(searchField)} values={values} onSearch={setValues} />
      <output data-values>{JSON.stringify(values)}</output>
    </>
  );
}
const Row = ({ children }: { children: ReactNode }) => (
  <div style={{ display: 'flex', flexWrap: 'wrap', gap: 20, alignItems: 'center' }}>{children}</div>
);

/** Development only: every part in the theme in force. Its words are the parts' own. */
export default function Gallery() {
  const error = new ApiError('problem', { status: 500, requestId: '8f3c-21a9' });
  return (
    <Page>
      <PageBar title="Gallery" />
      <Card>
        <Row>
          {states.map((state) => (
            <StateMark key={state} state={state} />
          ))}
        </Row>
      </Card>
      <Card>
        <Row>
          {[null, 0, 20, 60, 100].map((level) => (
            <span key={level}>
              <LevelGlow level={level} /> <LevelMeter level={level} />
            </span>
          ))}
          <Quantity value={87.4} unit="W" decimals={1} />
          <Quantity value={null} />
          <RelativeTime at={Date.now() - 8_000} />
          <StaleNote time="21:41" />
        </Row>
      </Card>
      <Card>
        <Row>
          <Button type="primary">A</Button>
          <Button>B</Button>
          <Button danger>C</Button>
          <Button type="text">D</Button>
          <Input style={{ width: 160 }} placeholder="E" />
          <Input status="error" defaultValue="F" aria-label="F" style={{ width: 160 }} />
          <Checkbox defaultChecked>G</Checkbox>
          <Switch defaultChecked aria-label="H" />
        </Row>
        <Slider defaultValue={60} ariaLabelForHandle="I" />
      </Card>
      {truths.map((truth, index) => (
        <Card key={index}>
          <TruthLine truth={truth} notes={{ queued: '21:46:31' }} />
          <TruthTicks truth={truth} />
        </Card>
      ))}
      <Card>
        <Skeleton />
      </Card>
      <Card>
        <Empty text="—" action={{ text: 'J', onClick: () => toast.done('K') }} />
      </Card>
      <Card>
        <ErrorState error={error} onRetry={() => toast.failed('L', { text: 'M', onClick: () => undefined })} />
      </Card>
      <Card>
        <NoPermission code="lamp.control" />
      </Card>
      <Card>
        <Alert kind="note" title="N" action={<Button>O</Button>} />
        <Alert kind="done" title="P" />
        <Refusal error={error} />
      </Card>
      <Conditions />
    </Page>
  );
}
