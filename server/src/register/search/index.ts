export { createSearch } from './search.service.ts';
export { searchRoutes } from './search.routes.ts';
export { startFillingSearchWords } from './fill-words.ts';
