// pptx-automizer: it adds copies of the template's slides and changes their shapes by name. An instance makes one deck.
import pptxAutomizer from 'pptx-automizer';

const { default: Automizer, modify } = pptxAutomizer;
const COLUMNS = 4;

export function cold(job, template) {
  const slides = job.slides.map((slide) => ({ ...slide, replacements: replacements(slide.values) }));
  return async () => {
    const automizer = new Automizer({ removeExistingSlides: true, verbosity: 0 });
    const deck = automizer.loadRoot(template).load(template, 'template');
    for (const slide of slides) deck.addSlide('template', slide.number, (copy) => fill(copy, slide));
    const zip = await deck.getJSZip();
    return zip.generateAsync({ type: 'nodebuffer' });
  };
}

function fill(copy, { name, values, replacements }) {
  copy.modifyElement('Title', modify.replaceText(replacements.title));
  copy.modifyElement('Body', modify.replaceText(replacements.body));
  if (name === 'Table') copy.modifyElement('Table', modify.setTableData({ body: rows(values) }));
  if (name === 'Chart') copy.modifyElement('Chart', modify.setChartTitle(`Sales to ${values['customer.name']}`));
}

// Each shape is given the tags that it holds, not all there are.
function replacements(values) {
  const replace = (path) => ({ replace: path, by: { text: values[path] } });
  const points = Object.keys(values).filter((path) => path.startsWith('points.'));
  const title = ['customer.name'].map(replace);
  return { title, body: ['advisor.name', 'date', 'customer.name', ...points].map(replace) };
}

function rows(values) {
  const cells = Object.keys(values).filter((path) => path.startsWith('rows.')).map((path) => values[path]);
  return Array.from({ length: cells.length / COLUMNS }, (_, row) => ({
    values: cells.slice(row * COLUMNS, (row + 1) * COLUMNS),
  }));
}
