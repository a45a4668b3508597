import { docsOfField, families, records, schemaOfField, type Field } from '../../../../catalogue/index.ts';
import { schemeShape } from '../../../../catalogue/lighting/plan/scheme-problems.ts';
import { scheduleSchema } from '../../../../catalogue/lighting/plan/schedule.ts';
import { templateShape } from '../../../../catalogue/lighting/plan/template-problems.ts';
import { contentNames, type ContentName } from '../../../../contract/light/versioned.ts';
import type { CatalogueForm } from '../../../../contract/route.ts';

type Json = Record<string, unknown>;
interface Declared {
  readonly key: string;
  readonly fields: readonly Field[];
  readonly rules: readonly { readonly statement: string }[];
}

const pascal = (key: string): string =>
  key
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Whether a form that leaves the field out is refused for that. */
const isNeeded = (field: Field): boolean =>
  field.required === true && !(field.kind === 'select' && field.initial !== undefined);

/** A field as a form may hold it; one that need not be filled may be null. */
function schemaOf(field: Field): Json {
  const schema = { ...schemaOfField(field), description: docsOfField(field) };
  return field.required ? schema : { anyOf: [schema, { type: 'null' }] };
}

const described = (what: string, { rules }: Declared): string =>
  [what, ...rules.map((rule) => rule.statement)].join(' ');

function newOne(declared: Declared, own: Json): Json {
  const fields = declared.fields.map((field) => [field.key, schemaOf(field)] as const);
  return {
    type: 'object',
    description: described('Fields that are left out are empty.', declared),
    required: [...Object.keys(own), ...declared.fields.filter(isNeeded).map(({ key }) => key)],
    properties: { ...own, ...Object.fromEntries(fields) },
    additionalProperties: false,
  };
}

function changesOf(declared: Declared, own: Json): Json {
  const fields = declared.fields.map(
    (field) =>
      [
        field.key,
        { ...schemaOf(field), ...(field.fixed ? { description: `${docsOfField(field)}; stays as it is` } : {}) },
      ] as const,
  );
  return {
    type: 'object',
    description: described('Fields that are left out stay; null empties.', declared),
    properties: { version: { type: 'integer', minimum: 0 }, ...own, ...Object.fromEntries(fields) },
    additionalProperties: false,
  };
}

/**
 * Every form of the catalogue by the name of its schema, and the schemas that the names in `CatalogueForm` stand for.
 */
export function catalogueSchemas(): Json {
  const family = ({ key }: Declared): Json => ({ family: { type: 'string', const: key } });
  const mapping = Object.fromEntries(families.map(({ key }) => [key, `#/components/schemas/New${pascal(key)}`]));
  const each = (list: readonly Declared[], name: (key: string) => string, schema: (declared: Declared) => Json): Json =>
    Object.fromEntries(list.map((declared) => [name(pascal(declared.key)), schema(declared)]));
  return {
    ...each(
      families,
      (key) => `New${key}`,
      (one) => newOne(one, family(one)),
    ),
    ...each(
      families,
      (key) => `${key}Changes`,
      (one) => changesOf(one, family(one)),
    ),
    ...each(
      records,
      (key) => `New${key}`,
      (one) => newOne(one, {}),
    ),
    ...each(
      records,
      (key) => `${key}Changes`,
      (one) => changesOf(one, {}),
    ),
    [formName.newDevice]: {
      oneOf: families.map(({ key }) => ref(`New${pascal(key)}`)),
      discriminator: { propertyName: 'family', mapping },
    },
    [formName.deviceChanges]: {
      description: 'The changes that fit the family of the device.',
      anyOf: families.map(({ key }) => ref(`${pascal(key)}Changes`)),
    },
    [formName.newRecord]: {
      description: 'What fits the kind of record in the path.',
      anyOf: records.map(({ key }) => ref(`New${pascal(key)}`)),
    },
    [formName.recordChanges]: {
      description: 'What fits the kind of record in the path.',
      anyOf: records.map(({ key }) => ref(`${pascal(key)}Changes`)),
    },
  };
}

const formName: Readonly<Record<CatalogueForm, string>> = {
  newDevice: 'NewDevice',
  deviceChanges: 'DeviceChanges',
  newRecord: 'NewRecord',
  recordChanges: 'RecordChanges',
};
/** The schema of a form, by reference. */
export const formSchema = (of: CatalogueForm): Json => ref(formName[of]);

/** What calls take as a whole and the catalogue checks. */
export const contentSchemas: Readonly<Record<ContentName, Json>> = {
  SchemeContent: schemeShape.schema,
  TemplateContent: templateShape.schema,
  ScheduleSettings: scheduleSchema,
};
/** The schema of a content by reference, by the title that it has in the contract. */
export const contentSchema = (title: unknown): Json | undefined => {
  const name = contentNames.find((one) => one === title);
  return name && ref(name);
};
