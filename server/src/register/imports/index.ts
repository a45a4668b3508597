export { failedRowsTask } from './export-task.ts';
export { importTasks } from './import-tasks.ts';
export { createImports } from './imports.service.ts';
export { importsRoutes } from './imports.routes.ts';
export { pruneImportRows } from './retention.ts';
export { addImport } from './seeding.ts';
