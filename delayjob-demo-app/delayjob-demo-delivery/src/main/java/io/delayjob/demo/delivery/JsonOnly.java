package io.delayjob.demo.delivery;

import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Answers browsers, which prefer XML, in JSON, though Eureka brings a library for XML. */
@Component
final class JsonOnly implements WebMvcConfigurer {

    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.configureMessageConvertersList(converters -> converters.removeIf(converter ->
                converter.getSupportedMediaTypes().stream().anyMatch(MediaType.APPLICATION_XML::equalsTypeAndSubtype)));
    }
}
