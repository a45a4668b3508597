/** What stands on one label. */
export interface Label {
  readonly code: string;
  readonly name: string;
  readonly place: string;
  /** What the QR code says: the address of the thing's page. */
  readonly address: string;
}
/** What the thread draws. */
export interface LabelOrder {
  readonly title: string;
  readonly labels: readonly Label[];
}
