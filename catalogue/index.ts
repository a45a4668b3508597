export { families, familyOf, isDeclared } from './families/index.ts';
export { poleCapacity } from './families/lamp-pole.ts';
export { sharedFields } from './families/shared.ts';
export { roadClasses } from './records/road.ts';
export { records, recordOf } from './records/index.ts';
export { validate, validateDevice, validateReading, type Validated, type ReadingCheck, type RejectedValue, type Mode } from './validate.ts';
export { deviceColumns, toRow, fromRow } from './columns.ts';
export { quantities, fits, loopNumbers, type Quantity, type ReadingValue, type ReadingValues } from './quantities/index.ts';
export { faults, states, type FaultCode, type State } from './faults.ts';
export { namesIn } from './locales/index.ts';
export { makeNames, fill, type Names, type CatalogueTexts } from './names.ts';
export { languages, type Language } from './languages.ts';
export { derivedColumns, type Family, type Command, type CrossRule, type Section, type Values } from './family.ts';
export type { MasterRecord } from './record.ts';
export {
  readField, fieldToText, fieldFromText, simulateField, schemaOfField, docsOfField, sqlTypeOf, type Field, type FieldValue, type KindName,
} from './fields/index.ts';
export { ruleNames, type Rule, type Problem, type Random } from './fields/kind.ts';
