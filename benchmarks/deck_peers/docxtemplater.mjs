// docxtemplater's free core: it fills the template's slides and neither picks nor repeats them. A document is made
// anew for each deck: a rendered one, and its zip, cannot be used again.
import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';

export function cold(job, template) {
  return () => {
    const document = new Docxtemplater(new PizZip(template), { paragraphLoop: true, linebreaks: true });
    document.render(job.values);
    return document.toBuffer();
  };
}
