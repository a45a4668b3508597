export { families, familyOf } from './families/index.ts';
export { carriesOthers, namedBy, speaksForOthers } from './capabilities.ts';
export { isLamp, lampFamilies } from './lighting/families.ts';
export { sharedFields } from './families/shared.ts';
export { records, recordOf } from './records/index.ts';
export { labelFields, labelOrder } from './records/labels.ts';
export { optionSets, type OptionSet } from './dictionaries.ts';
export { withLabels, type Names } from './names.ts';
export { faultsInThemselves, validate, validateDevice, validateReading } from './validate.ts';
export { toRow, fromRow } from './columns.ts';
export { quantities, wordsOf, type Quantity } from './quantities/index.ts';
export { faults, states } from './faults.ts';
export { namesIn } from './locales/index.ts';
export { languages, type Language } from './languages.ts';
export { derivedColumns, type Args, type Family, type Command, type Values } from './family.ts';
export type { MasterRecord } from './record.ts';
export {
  readField,
  fieldToText,
  fieldFromText,
  simulateField,
  schemaOfField,
  docsOfField,
  sqlTypeOf,
  type Field,
  type FieldValue,
} from './fields/index.ts';
export { ruleNames, type Problem } from './fields/kind.ts';
