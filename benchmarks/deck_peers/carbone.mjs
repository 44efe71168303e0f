// Carbone's open-source edition: it fills the template's slides and neither picks nor repeats them, and reads the
// template from its file for each deck.
import carbone from 'carbone';
import { promisify } from 'node:util';

const render = promisify(carbone.render);

export function cold(job) {
  return () => render(job.template, job.values, {});
}
