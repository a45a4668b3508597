export {
  createDictionaries,
  namesFrom,
  openOptions,
  optionWords,
  prepareDictionaries,
} from './dictionaries.service.ts';
export { dictionariesRoutes } from './dictionaries.routes.ts';
export { dictionaryProblems, dictionaryUses, openOptionProblems, refuseBuiltIn } from './dictionaries.rules.ts';
