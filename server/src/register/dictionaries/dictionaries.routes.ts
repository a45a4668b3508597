import { listDictionaries } from '../../../../contract/register/dictionaries.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Dictionaries } from './dictionaries.service.ts';

export const dictionariesRoutes = (dictionaries: Dictionaries): Binding[] => [
  bind(listDictionaries, ({ query }, { language }) => dictionaries.list(language, query.code)),
];
