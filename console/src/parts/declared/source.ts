import { derivedColumns, type CrossRule, type Family, type Section } from '../../../../catalogue/family.ts';
import type { Field } from '../../../../catalogue/fields/index.ts';
import type { Quantity } from '../../../../catalogue/quantities/index.ts';
import type { MasterRecord } from '../../../../catalogue/record.ts';

/** One row of a declared list: a device or a record. */
export interface Row {
  readonly id: number;
  readonly version: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly updateTime: string | null;
  readonly [field: string]: unknown;
}
/** Where the list of what lies inside a row opens. */
export interface Below {
  readonly label: string;
  readonly open: (row: Row) => void;
}
export interface Use {
  readonly what: string;
  readonly name: string;
  readonly count: number;
}

/** What a declared screen is about: devices of a family, or a record. `use-source.ts` fetches and sends for it. */
export interface Source {
  readonly kind: 'device' | 'record';
  /** Key of the family or record. */
  readonly key: string;
  readonly fields: readonly Field[];
  readonly rules: readonly CrossRule[];
  readonly sections: readonly Section[];
  readonly listColumns: readonly string[];
  /** Further columns a list can show: derived ones and `latest.<quantity>`. */
  readonly moreColumns: readonly string[];
  readonly quantities: readonly Quantity[];
  readonly codeField: string;
  readonly nameField: string;
  /** Its rows belong to work areas. */
  readonly ofProjects: boolean;
  /** Devices of the family report by themselves: they are online or not, and have credentials. */
  readonly reports: boolean;
  readonly codes: {
    readonly add: string;
    readonly edit: string;
    readonly del: string;
    readonly credentials: string | null;
    readonly secret: string | null;
    readonly bind: string | null;
  };
}

/** The devices of a family. */
export const deviceSource = (family: Family): Source => ({
  kind: 'device',
  key: family.key,
  fields: family.fields,
  rules: family.rules,
  sections: family.sections,
  listColumns: family.listColumns,
  moreColumns: [
    ...derivedColumns.filter((column) => column !== 'isOnline' || family.report !== null),
    ...family.quantities.map((quantity) => `latest.${quantity.key}`),
  ],
  quantities: family.quantities,
  codeField: 'equipmentCode',
  nameField: 'equipmentName',
  ofProjects: true,
  reports: family.report !== null,
  codes: {
    add: 'device.add',
    edit: 'device.edit',
    del: 'device.del',
    credentials: family.report ? 'device.credentials' : null,
    secret: 'device.secret',
    bind: 'device.bind',
  },
});

/** The rows of a record. */
export const recordSource = (record: MasterRecord): Source => ({
  kind: 'record',
  key: record.key,
  fields: record.fields,
  rules: record.rules,
  sections: record.sections,
  listColumns: [...record.listColumns, 'updateTime'],
  moreColumns: ['updateTime'],
  quantities: [],
  codeField: record.codeField,
  nameField: record.nameField,
  ofProjects: record.areaColumn !== null,
  reports: false,
  codes: { add: 'record.add', edit: 'record.edit', del: 'record.del', credentials: null, secret: null, bind: null },
});
